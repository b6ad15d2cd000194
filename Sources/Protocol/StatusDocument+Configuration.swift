extension StatusDocument {
    /// The file that adhand reads; `nil` while there is none.
    public var configurationFile: String? { configurationLookedFor == nil ? configuration : nil }

    /// Whether a file is, or will be once it is there, what adhand reads.
    public func reads(_ file: String) -> Bool {
        configurationFile == file || configurationLookedFor?.contains(file) == true
    }
}
