import { askHealth } from './commands/health.ts'
import { StartupError } from './startup-error.ts'

// A program of its own: a check twice a minute should not load the whole server each time.
askHealth(process.argv.slice(2), process.env).then(
  (line) => console.log(line),
  (error: unknown) => {
    console.error(error instanceof StartupError ? error.message : error)
    process.exitCode = 1
  },
)
