import Settings

extension DayException {
    /// Like cells of a table, so that times after midnight are reported the same way.
    package func published(hasSlots: Bool) -> PublishedDay {
        var cells: [TimetableColumn: Int] = [:]
        cells[beginning(hasSlots: hasSlots)] = adhan
        cells[congregation(hasSlots: hasSlots)] = iqama
        return PublishedDay(date: date, cells: cells)
    }
}
