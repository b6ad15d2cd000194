internal import Glibc

/// Distances on the Earth.
package enum GreatCircle {
    /// The distance along the great circle. Points are in degrees, latitude first.
    package static func kilometres(from a: (Double, Double), to b: (Double, Double)) -> Double {
        let north = sin((b.0 - a.0) * .pi / 360)
        let east = sin((b.1 - a.1) * .pi / 360)
        let half = north * north + cos(a.0 * .pi / 180) * cos(b.0 * .pi / 180) * east * east
        return 2 * radius * asin(min(1, half.squareRoot()))
    }

    /// The radius of a sphere with the volume of the Earth, in kilometres (IUGG mean radius R3).
    package static let radius = 6371.0008
}
