import type { VersionInfo } from '@pulse/contract'
import fs from 'node:fs'

/** What an installation says of itself: its unit, and its variables in a container of Proxmox VE. */
const installations = ['systemd', 'proxmoxve'] as const

/** In a container of any image; ours says so with PULSE_DOCKER. */
const containerMarks = ['/.dockerenv', '/run/.containerenv']

/** What runs here. A release names its build; a checkout says it is one. */
export function readVersion(env: NodeJS.ProcessEnv, exists = fs.existsSync): VersionInfo {
  const isSource = import.meta.url.endsWith('.ts') || env['PULSE_BUILD'] === undefined
  const version = packageVersion()
  const installed = installations.find((one) => one === env['PULSE_DEPLOYMENT'])
  const isDocker = !installed && env['PULSE_DOCKER'] === 'true'
  return {
    version,
    build: env['PULSE_BUILD'] ?? 'source',
    goVersion: '',
    runtime: `node ${process.version.slice(1)}`,
    channel: version.includes('-rc') ? 'rc' : 'stable',
    isDocker,
    isSourceBuild: isSource,
    isDevelopment: env['PULSE_DEV'] === 'true',
    deploymentType: installed ?? deploymentType(env, isDocker, isSource),
    updateAvailable: false,
    containerized: isDocker || containerMarks.some((file) => exists(file)),
  }
}

function deploymentType(
  env: NodeJS.ProcessEnv,
  isDocker: boolean,
  isSource: boolean,
): VersionInfo['deploymentType'] {
  if (isDocker) return 'docker'
  if (env['PULSE_DEV'] === 'true') return 'development'
  if (env['INVOCATION_ID']) return 'systemd'
  return isSource ? 'source' : 'manual'
}

/** From the package beside the sources or the bundle. */
function packageVersion(): string {
  const file = new URL('../package.json', import.meta.url)
  const parent = new URL('../../package.json', import.meta.url)
  const text = fs.readFileSync(fs.existsSync(file) ? file : parent, 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
