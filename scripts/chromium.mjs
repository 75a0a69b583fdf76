import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const binaries = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser for the tests: an installed one, or Debian's package if it can be installed. */
export function ensureChromium() {
  const found = [process.env.CHROMIUM, ...binaries].find((file) => file && existsSync(file))
  if (found) return found
  const isDebian = existsSync('/usr/bin/apt-get')
  if (!isDebian || process.getuid?.() !== 0) {
    console.error(
      'The browser tests need Chromium. Install it (Debian: apt-get install chromium) ' +
        'or name its binary in the variable CHROMIUM.',
    )
    process.exit(1)
  }
  console.log('Installing Chromium …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env })
  const wanted = ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core']
  const result = spawnSync('apt-get', wanted, { stdio: ['ignore', 'ignore', 'inherit'], env })
  if (result.status !== 0) process.exit(result.status ?? 1)
  return binaries[0]
}
