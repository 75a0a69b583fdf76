import type { Env } from '../settings/settings.ts'
import { SettingsError } from '../settings/values.ts'

export type EngineAddress = { socketPath: string } | { host: string; port: number }

/** Found like the Docker CLI does: `DOCKER_HOST`, otherwise the first existing socket. */
export function engineAddress(env: Env, isThere: (file: string) => boolean): EngineAddress {
  const host = env['DOCKER_HOST']?.trim()
  if (!host) {
    const usual = ['/var/run/docker.sock', '/run/podman/podman.sock']
    if (env['XDG_RUNTIME_DIR']) usual.push(`${env['XDG_RUNTIME_DIR']}/podman/podman.sock`)
    return { socketPath: usual.find(isThere) ?? usual[0]! }
  }
  if (host.startsWith('unix://')) return { socketPath: host.slice('unix://'.length) }
  const url = URL.canParse(host) ? new URL(host) : undefined
  const isPlain = url && ['tcp:', 'http:'].includes(url.protocol) && !env['DOCKER_TLS_VERIFY']
  if (!isPlain) {
    throw new SettingsError(
      'DOCKER_HOST can be unix:///path or tcp://host:port; TLS to an engine is not supported.',
    )
  }
  return { host: url.hostname.replaceAll(/[[\]]/g, ''), port: Number(url.port || 2375) }
}

export const addressText = (address: EngineAddress): string =>
  'socketPath' in address ? address.socketPath : `${address.host}:${address.port}`
