import CommandKit

typealias Output = CommandKit.Output<CommandError>
