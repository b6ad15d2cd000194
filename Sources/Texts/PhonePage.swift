/// Facts about the phone page that other programs need.
package enum PhonePage {
    /// The port of the phone page, unless its unit sets another.
    package static let port = 8790
}
