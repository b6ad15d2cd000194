// bench-engine [DAYS [REFERENCE.csv]]: the engine's speed, and its accuracy when a file of instants is given.

let arguments = CommandLine.arguments
let days = arguments.count > 1 ? Int(arguments[1]) ?? 100_000 : 100_000
try Speed.report(days: days)
try Speed.reportFamilies(days: days)
if arguments.count > 2 { try Accuracy.report(file: arguments[2]) }
