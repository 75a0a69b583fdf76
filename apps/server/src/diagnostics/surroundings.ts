import type { ApiToken, OidcConfig, SystemSettings } from '@pulse/contract'
import os from 'node:os'
import type { Category } from '../masking/patterns.ts'

type Own = Pick<SystemSettings, 'allowedOrigins' | 'allowedEmbedOrigins' | 'discoverySubnet'>
type Provider = Pick<OidcConfig, 'issuerUrl' | 'clientId' | 'redirectUrl' | 'logoutUrl' | 'defaultRedirect'>

export interface Surroundings {
  access: { users: { list(): readonly { name: string }[] }; tokens: { list(): readonly ApiToken[] } }
  settings: { current(): Own }
  oidc: { config(publicUrl?: string): Provider }
  publicUrl: string | undefined
  dataDir: string
}

/** What the live state does not tell, and a message might: people, tokens, settings, the machine itself. */
export function surroundings({
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
