extension PageMaker {
    func setup(_ facts: SetupFacts) -> [HTML] { [] }
}
