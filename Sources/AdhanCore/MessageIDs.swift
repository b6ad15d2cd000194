/// The journal's `MESSAGE_ID` of each event kind, by its `ADHAND_EVENT` value: 128 random bits, in hexadecimal.
///
/// `systemd/adhand.catalog` explains each in a volunteer's words; `journalctl -x` joins the two. Filters and
/// dashboards build on the ids: one never changes and is never reused.
package let messageIDs: [String: String] = [
    "daemon.started": "f855dd8d30484b169fcaff4d50587cf2",
    "daemon.stopping": "2f1e2432f7d347d28fc19826d5384dd3",
    "plan.computed": "c341c61eda924d68a26ecb4a98a06d9c",
    "timer.armed": "281910a7b3eb461196079e1a7c430292",
    "prayer.started": "d4515b87f8584f9db40d4d70f9b980a2",
    "prayer.finished": "72d4ccedad4b426daf4f273dec37fbd3",
    "prayer.missed": "503e17bad4be46f2baf9e43955febfa4",
    "prayer.muted": "f8d147ee4f10498eb2c9a386f1077842",
    "prayer.skipped": "052a9850e67f4ee6b2bb0ee7b9916e48",
    "prayer.failed": "d22ec0d922ae40279031fa36dfd6dd0a",
    "prayer.interrupted": "decbaf03fc9d43568e6c78031d4245c7",
    "reminder.started": "7eeae5dac8c248dab40396c5c2c4547f",
    "preflight.passed": "f5c7247bec2e43b8a15c2137fc842c00",
    "preflight.failed": "6fbeaf6a099b4d7a8e919e585ebf409d",
    "audio.dropout": "a588bef2ef9e4e73801dd572f0de4d36",
    "audio.lost": "129fd88402c4413cbeb35ae807a2e8ec",
    "audio.recovered": "84d74f53a64842529d7f5d36a970b1b7",
    "clock.stepped": "db92542992c34e9fa4502204c0a4c797",
    "clock.untrusted": "eb91bb07cf6f4a95b985d6d583f855e9",
    "clock.trusted": "ccba2836abc64e41aec6b23616751dce",
    "zone.changed": "e5621efe1d624787a3250e2597fc01da",
    "config.reloaded": "2f303b5454a94aebbfd68f23a103bc4a",
    "config.rejected": "7acb8ac3301e4f319af1f19933f5b4fa",
    "mute.changed": "e39789cc19964a8cbaaac2538f460019",
    "toggle.changed": "a972053e05034b4fa713b658ec857af4",
    "control.denied": "04eb23ce465647d19a153394ba65380f",
    "test.started": "90bf53b9bb1845e3a38191303edaed3c",
    "test.finished": "91167bdd1f304e36b465540f575cfee0",
]
