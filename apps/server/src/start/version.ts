import type { VersionInfo } from '@pulse/contract'
import fs from 'node:fs'

/** Values that an installation sets: in its unit, or in the environment of a Proxmox VE container. */
const installations = ['systemd', 'proxmoxve'] as const

/** Marks of any container; our own image sets PULSE_DOCKER. */
const containerMarks = ['/.dockerenv', '/run/.containerenv']

/** The running version. A release names its build; a checkout reports that it is one. */
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

/** From the package.json next to the sources or the bundle. */
function packageVersion(): string {
  const file = new URL('../package.json', import.meta.url)
  const parent = new URL('../../package.json', import.meta.url)
  const text = fs.readFileSync(fs.existsSync(file) ? file : parent, 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
