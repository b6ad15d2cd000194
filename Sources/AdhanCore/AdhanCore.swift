// AdhanCore
