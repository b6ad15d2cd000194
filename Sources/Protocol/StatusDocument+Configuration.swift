extension StatusDocument {
    /// The file that adhand reads; `nil` while there is none.
    public var configurationFile: String? { configurationLookedFor == nil ? configuration : nil }

    /// Whether adhand reads a file, or will once it exists.
    public func reads(_ file: String) -> Bool {
        configurationFile == file || configurationLookedFor?.contains(file) == true
    }
}
