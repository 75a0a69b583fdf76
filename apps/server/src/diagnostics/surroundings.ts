import type { ApiToken, OidcConfig, SystemSettings } from '@pulse/contract'
import os from 'node:os'
import type { Category } from './fields.ts'

/** What the live state does not tell, and a message might: people, tokens, settings, the machine itself. */
export function surroundings({
  users,
  tokens,
  settings,
  oidc,
  dataDir,
}: {
  users: readonly { name: string }[]
  tokens: readonly ApiToken[]
  settings: Pick<SystemSettings, 'allowedOrigins' | 'allowedEmbedOrigins' | 'discoverySubnet'>
  oidc: Pick<OidcConfig, 'issuerUrl' | 'clientId' | 'redirectUrl' | 'logoutUrl' | 'defaultRedirect'>
  dataDir: string
}): [value: string, category: Category][] {
  const interfaces = Object.values(os.networkInterfaces()).flatMap((list) => list ?? [])
  const { allowedOrigins, allowedEmbedOrigins, discoverySubnet } = settings
  const { issuerUrl, clientId, redirectUrl, logoutUrl, defaultRedirect } = oidc
  const own = [allowedOrigins, allowedEmbedOrigins, discoverySubnet]
  const texts = own.concat(issuerUrl, clientId, redirectUrl, logoutUrl, defaultRedirect)
  const all: [string, Category][] = [
    ...users.map(({ name }): [string, Category] => [name, 'account']),
    ...tokens.flatMap(({ name, prefix, suffix }): [string, Category][] => [
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
