extension Config {
    /// The configuration with its place rounded to a tenth of a degree: some ten kilometres.
    package var withRoundedLocation: Config {
        var config = self
        if let location = config.location {
            config.location?.latitude = (location.latitude * 10).rounded() / 10
            config.location?.longitude = (location.longitude * 10).rounded() / 10
        }
        return config
    }
}
