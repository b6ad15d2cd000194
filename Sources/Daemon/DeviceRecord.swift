/// Troubles with the devices of outputs, by the names of the outputs.
package struct DeviceRecord: Sendable {
    /// Outputs whose part of a sound did not answer, and that have reported nothing since.
    package internal(set) var stuck: Set<String> = []
    /// Why the devices of an output do not open, for outputs that have this problem.
    var closed: [String: String] = [:]
    /// Outputs whose devices are to be tried once nothing needs them.
    var owedLooks: Set<String> = []
}
