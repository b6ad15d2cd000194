import Texts

/// The files that `adhan-fleet init` writes, which configure the other programs of a fleet's server.
package enum FleetTemplates {
    /// - Returns: paths in the folder, with their contents.
    package static func files(org: String, brokers: [String], folder: String) -> [(
        path: String, text: String
    )] {
        [
            (FleetConfig.fileName, fleet(org: org, brokers: brokers, folder: folder)),
            ("mosquitto.conf", mosquitto(folder: folder)), ("acl", acl(org: org)),
            ("mosquitto.service.d/adhan-fleet.conf", mosquittoUnit),
            ("adhan-fleet.rules.yml", rules(org: org)), ("alertmanager.yml", alertmanager),
            ("reprepro/conf/distributions", distributions(org: org)),
        ]
    }

    private static func fleet(org: String, brokers: [String], folder: String) -> String {
        let list = brokers.map { "\"\($0)\"" }.joined(separator: ", ")
        return """
            # The fleet: who it is, what an alarm is, and how a change spreads. adhan-fleet(1) has every key.
            org = "\(org)"
            broker = [\(list)]
            username = "fleet"
            password-file = "\(folder)/broker-password"      # one line; not for git
            # The public keys, as "adhan-fleet keys" prints them. Without the first one nothing is published.
            # signing-key = "ed25519:..."
            # recovery-key = "ed25519:..."
            [watch]
            listen = "\(WatchSettings.standardListen)"
            alertmanager = ["http://127.0.0.1:9093"]
            [rollout]
            rings = [1, 10, 50, 100]

            """
    }

    private static func mosquitto(folder: String) -> String {
        """
        # For /etc/mosquitto/conf.d/. Boxes come by TLS; the watcher is on this machine.
        # mosquitto.service.d beside this file belongs into /etc/systemd/system/, for more boxes than 1,000.
        allow_anonymous false
        password_file \(folder)/passwords
        acl_file \(folder)/acl
        # At the default a watcher gets 1,020 of 10,000 retained messages.
        max_queued_messages 1000000
        max_inflight_messages 1000
        persistence true
        autosave_interval 60
        listener 1883 127.0.0.1
        listener 8883
        certfile /etc/mosquitto/certs/server.crt
        keyfile /etc/mosquitto/certs/server.key

        """
    }

    private static let mosquittoUnit = """
        # For /etc/systemd/system/mosquitto.service.d/. Each box is an open file of the broker, and systemd gives it 1,024.
        [Service]
        LimitNOFILE=65536

        """

    private static func acl(org: String) -> String {
        """
        # A box writes of itself alone, by its user name, and reads its own changes and those for all.
        user fleet
        topic readwrite adhand/v1/\(org)/#

        user enrol
        topic write adhand/v1/\(org)/enrol/+

        pattern write adhand/v1/\(org)/%u/up/#
        pattern read adhand/v1/\(org)/%u/down/#
        pattern read adhand/v1/\(org)/all/down/#

        """
    }

    private static func rules(org: String) -> String {
        """
        groups:
          - name: adhan-fleet
            rules:
              # The watcher posts its own alarms; Prometheus watches the watcher.
              - alert: FleetWatcherDown
                expr: absent(adhan_fleet_up{job="adhan-fleet"})
                for: 2m
                labels: {org: \(org)}
                annotations: {summary: "adhan-fleet watch does not answer, so nobody learns of silent boxes."}
              - alert: FleetWatcherLate
                expr: adhan_fleet_watch_lag_seconds > 10
                for: 5m
                labels: {org: \(org)}
                annotations: {summary: "adhan-fleet watch falls behind."}

        """
    }

    private static let alertmanager = """
        # An example: name the people in receivers. The watcher posts open alarms each minute.
        global:
          resolve_timeout: 10m
        route:
          receiver: people
          group_by: [alertname]
          group_wait: 5s
          # An alarm for one box more waits as long: people know of it within 90 s of the instant.
          group_interval: 20s
          repeat_interval: 12h
        receivers:
          - name: people

        """

    private static func distributions(org: String) -> String {
        """
        # This server has no key, so nothing is signed here. "make archive-rings" on the machine that signs packages makes the
        # indices, and they are copied here every day: one is valid for 14 days.
        Origin: adhand
        Label: \(org)
        Codename: stable
        Architectures: amd64 arm64
        Components: main
        Description: packages for the boxes of \(org)
        ValidFor: 14d

        """
    }
}
