package import BoxCard
package import ControlClient
package import Host

extension CardBox {
    /// The upgrades of the flashed box on which this adhand runs; `nil` on other machines, and for a user's own adhand. A trial
    /// passes the folders of its box.
    package static func upgrades(
        of daemon: ControlClient, in environment: Environment = .process
    ) -> CardUpgrades? {
        let isOfBox = daemon.socket == Paths.systemSocket || environment.value("ADHAN_BOX_RUN") != nil
        return isOfBox ? CardBox(environment).upgrades : nil
    }
}
