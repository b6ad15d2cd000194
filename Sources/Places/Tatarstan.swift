import PrayerEngine

/// Decides whether a point is in Tatarstan: nearer to one of its towns than to a neighbour's town, and not far from it.
enum Tatarstan {
    static func contains(_ place: (Double, Double)) -> Bool {
        let own = distance(from: place, to: towns)
        return own < reachKilometres && own < distance(from: place, to: neighbours)
    }

    /// The distance in kilometres from a town beyond which a point is not in Tatarstan.
    private static let reachKilometres = 60.0

    private static func distance(from place: (Double, Double), to towns: [(Double, Double)]) -> Double {
        towns.map { GreatCircle.kilometres(from: place, to: $0) }.min() ?? .infinity
    }

    static let kazan = (55.79, 49.12)

    private static let towns = [
        kazan, (55.84, 48.52), (55.32, 52.07), (55.76, 52.06), (55.91, 49.3), (54.6, 53.46), (54.94, 48.84),
        (55.46, 50.14), (55.75, 49.65), (55.88, 48.88), (54.43, 50.81), (54.86, 52.43), (55.64, 51.82),
        (55.73, 52.41), (55.3, 53.19), (55.73, 53.1), (55.91, 52.29), (55.72, 51.41), (54.6, 52.46),
        (55.4, 49.55), (56.19, 50.89), (55.02, 52.74), (55.36, 50.64), (54.97, 48.29), (54.54, 52.8),
        (56.01, 50.45), (54.39, 53.26), (56.35, 50.21), (56.09, 49.88), (54.9, 52.32), (55.72, 54.08),
        (56.52, 52.99),
    ]

    private static let neighbours = [
        // Udmurtia: Izhevsk, Sarapul, Mozhga, Malaya Purga, Grakhovo and Kiyasovo
        (56.85, 53.2), (56.48, 53.8), (56.44, 52.23), (56.56, 53.0), (56.05, 51.97), (56.35, 53.12),
        // Bashkortostan
        (56.09, 54.27), (54.48, 53.47), (54.61, 53.71), (55.49, 54.87), (55.91, 53.94), (55.18, 53.8),
        (55.45, 54.31), (54.08, 53.67),
        // West: Volzhsk, Batyrevo and Tsilna; north: Vyatskiye Polyany and Malmyzh
        (55.87, 48.36), (55.07, 47.61), (54.6, 48.14), (56.23, 51.07), (56.52, 50.68),
        // South
        (54.6, 48.93), (54.21, 50.47), (54.45, 51.48), (54.41, 51.09), (54.09, 52.54),
    ]
}
