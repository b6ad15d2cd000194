import Settings

extension DayException {
    /// The exception in the form of a timetable's cells, so that times after midnight are reported the same way.
    package func published(hasSlots: Bool) -> PublishedDay {
        var cells: [TimetableColumn: Int] = [:]
        cells[beginning(hasSlots: hasSlots)] = adhanMinutes
        cells[congregation(hasSlots: hasSlots)] = iqamaMinutes
        return PublishedDay(date: date, cellMinutes: cells)
    }
}
