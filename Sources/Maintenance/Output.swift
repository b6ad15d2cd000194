package import CommandKit

package typealias Output = CommandKit.Output<CommandError>
