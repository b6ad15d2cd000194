/// The version of both programs, as `--version`, `status` and the Varlink service give it.
package let adhandVersion = "0.1.0"
