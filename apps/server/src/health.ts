import { askHealth } from './commands/health.ts'
import { StartupError } from './startup-error.ts'

// A separate program, so that a check twice a minute does not load the whole server each time.
askHealth(process.argv.slice(2), process.env).then(
  (line) => console.log(line),
  (error: unknown) => {
    console.error(error instanceof StartupError ? error.message : error)
    process.exitCode = 1
  },
)
