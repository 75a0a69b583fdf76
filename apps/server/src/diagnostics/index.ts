import {
  type ApiToken,
  Diagnostics,
  getDiagnostics,
  getDiagnosticsExport,
  type NodeConfig,
  type OidcConfig,
  type PlainState,
  type SystemSettings,
  type VersionInfo,
} from '@pulse/contract'
import os from 'node:os'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import type { Area } from '../area.ts'
import type { Clock } from '@pulse/domain'
import { RawReply, route } from '../http/route.ts'
import type { Category } from '../masking/patterns.ts'
import type { PlainView } from '../state/plain-view.ts'
import { createDiagnostics } from './diagnostics.ts'
import { exportDiagnostics, exportFileName } from './export.ts'

export interface DiagnosticsEdges extends Surroundings {
  /** areas that may contribute */
  areas: readonly Area[]
  view: PlainView
  connections: { list(): NodeConfig[] }
  version: VersionInfo
  clock: Clock
  log: Pick<Logger, 'error'>
}

/** Checks the blocks of the contract; an area may add others. */
const Result = z.catchall(Diagnostics, z.unknown())

/** Collects problems from all areas. */
export function diagnosticsArea(edges: DiagnosticsEdges): Area {
  const { areas, view, connections, version, clock, log } = edges
  const diagnostics = createDiagnostics(areas, clock, (error, area) =>
    log.error({ err: error, area }, 'the diagnostics of an area failed'),
  )
  return {
    name: 'the diagnostics',
    isLed: true,
    routes: [
      route(getDiagnostics, async () => {
        const { result, at } = await diagnostics.run()
        return new RawReply(Buffer.from(JSON.stringify(Result.parse(result))), {
          'x-diagnostics-cached-at': new Date(at).toISOString(),
        })
      }),
      route(getDiagnosticsExport, async ({ query: { mode = 'full' } }) => {
        const { result } = await diagnostics.run()
        const now = clock.now()
        const sources = {
          product: version,
          diagnostics: result,
          connections: connections.list(),
          state: JSON.parse(String(await view.json())) as PlainState,
          alsoKnown: surroundings(edges),
        }
        const file = await exportDiagnostics(mode, sources, now)
        return new RawReply(Buffer.from(`${JSON.stringify(file, null, 2)}\n`), {
          'content-disposition': `attachment; filename="${exportFileName(mode, now)}"`,
        })
      }),
    ],
  }
}

type Own = Pick<SystemSettings, 'allowedOrigins' | 'allowedEmbedOrigins' | 'discoverySubnet'>
type Provider = Pick<OidcConfig, 'issuerUrl' | 'clientId' | 'redirectUrl' | 'logoutUrl' | 'defaultRedirect'>

interface Surroundings {
  access: { users: { list(): readonly { name: string }[] }; tokens: { list(): readonly ApiToken[] } }
  settings: { current(): Own }
  oidc: { config(publicUrl?: string): Provider }
  publicUrl: string | undefined
  dataDir: string
}

/**
 * Names that messages may contain but the live state does not: users, tokens, settings, the machine itself.
 */
function surroundings({
  access,
  settings,
  oidc,
  publicUrl,
  dataDir,
}: Surroundings): [value: string, category: Category][] {
  const interfaces = Object.values(os.networkInterfaces()).flatMap((list) => list ?? [])
  const { allowedOrigins, allowedEmbedOrigins, discoverySubnet } = settings.current()
  const { issuerUrl, clientId, redirectUrl, logoutUrl, defaultRedirect } = oidc.config(publicUrl)
  const own = [allowedOrigins, allowedEmbedOrigins, discoverySubnet]
  const texts = own.concat(issuerUrl, clientId, redirectUrl, logoutUrl, defaultRedirect)
  const all: [string, Category][] = [
    ...access.users.list().map(({ name }): [string, Category] => [name, 'account']),
    ...access.tokens.list().flatMap(({ name, prefix, suffix }): [string, Category][] => [
      [name, 'token'],
      [`${prefix}…${suffix}`, 'token'],
    ]),
    ...texts.flatMap((text) => text.split(/[\s,]+/)).map((text): [string, Category] => [text, 'url']),
    [dataDir, 'path'],
    [os.hostname(), 'address'],
    [os.homedir(), 'path'],
    ...interfaces.flatMap(({ address, mac }): [string, Category][] => [
      [address, 'address'],
      [mac, 'address'],
    ]),
  ]
  return all.filter(([text]) => text.length > 1 && text !== 'auto')
}
