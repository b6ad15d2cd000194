internal import PrayerEngine
package import Protocol
internal import Texts

/// Translates the fields before an uploaded file for the intake.
package enum UploadFields {
    /// - Parameters:
    ///   - field: the name of the file's field.
    ///   - file: the name that the browser gave the file, for display only.
    package static func request(
        _ route: Route.Name, _ form: Form, field: String, file: String
    ) throws(FieldRefusal) -> IntakeRequest {
        guard field == "file" else { throw FieldRefusal("file", .missing) }
        let fields = ActFields(form: form)
        switch route {
        case .sound:
            var request = IntakeRequest(.recording)
            request.name = try fields.text("name", longest: 40)
            request.prayer = try fields.optional("prayer") { () throws(FieldRefusal) in
                try fields.prayer().rawValue
            }
            return request
        case .uploadTimetable:
            var request = IntakeRequest(.timetable)
            request.name = String(PhoneName.plain(file).suffix(100))
            return request
        default: return IntakeRequest(.picture)
        }
    }

    /// The answers to questions about the waiting timetable.
    package static func answers(_ form: [Form.Field]) throws(FieldRefusal) -> IntakeRequest {
        let fields = ActFields(form: Form(fields: form))
        func word(_ name: String) throws(FieldRefusal) -> String? {
            try fields.optional(name) { () throws(FieldRefusal) in try fields.text(name, longest: 20) }
        }
        var request = IntakeRequest(.answerTimetable)
        request.clock = try word("clock")
        request.hours = try word("hours")
        request.dates = try word("dates")
        request.year = try word("year")
        request.asr = try word("asr")
        return request
    }
}
