import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Chromium without windows, in a package of its own: the same engine, and a sixth less work for each test. */
const shell = '/usr/bin/chromium-headless-shell'

/** The browser for the tests: an installed one, or Debian's package if it can be installed. */
export function ensureChromium() {
  const found = firstOf([process.env.CHROMIUM, shell, ...browsers])
  if (found) return found
  if (canInstall() && install('chromium-headless-shell')) return shell
  return ensureBrowser()
}

/** The browser as users have it. */
export function ensureBrowser() {
  const found = firstOf([process.env.CHROMIUM, ...browsers])
  if (found) return found
  if (!canInstall()) {
    console.error(
      'The browser tests need Chromium. Install it (Debian: apt-get install chromium) ' +
        'or name its binary in the variable CHROMIUM.',
    )
    process.exit(1)
  }
  if (!install('chromium')) process.exit(1)
  return browsers[0]
}

const firstOf = (files) => files.find((file) => file && existsSync(file))

const canInstall = () => existsSync('/usr/bin/apt-get') && process.getuid?.() === 0

function install(name) {
  console.log('Installing Chromium …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const run = (args) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0
  const packages = ['--no-install-recommends', name, 'fonts-dejavu-core']
  return run(['update', '-qq']) && run(['install', '-y', '-qq', ...packages])
}
