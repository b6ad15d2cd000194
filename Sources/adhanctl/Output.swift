import CommandKit
import Maintenance

typealias Output = CommandKit.Output<CommandError>
