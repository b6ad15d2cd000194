package enum PhonePage {
    /// The port of the phone page, unless its unit says otherwise.
    package static let port = 8790
}
