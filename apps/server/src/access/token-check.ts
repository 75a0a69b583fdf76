import type { ApiToken, Diagnostics, DockerHost } from '@pulse/contract'
import { counting } from '@pulse/domain'

/** A Docker host's record with the token of its reports. */
export type ReportingHost = Pick<DockerHost, 'displayName' | 'tokenId'>

export function checkTokens(
  tokens: readonly ApiToken[],
  hosts: readonly ReportingHost[],
): Diagnostics['apiTokens'] {
  const used = Map.groupBy(hosts, ({ tokenId }) => tokenId)
  const hasEnvTokens = tokens.some(({ source }) => source === 'environment')
  const unused = tokens.filter(({ lastUsedAt }) => lastUsedAt === undefined).length
  const notes = [
    ...(tokens.length === 0 ? ['There are no API tokens: scripts and agents need one each.'] : []),
    ...(hasEnvTokens
      ? [
          'Tokens from the environment cannot be revoked in Pulse: replace them with tokens created in Settings → Security.',
        ]
      : []),
    ...(unused > 0
      ? [`${counting(unused, 'token was', 'tokens were')} never used: revoke those you do not need.`]
      : []),
  ]
  return {
    enabled: tokens.length > 0,
    tokenCount: tokens.length,
    hasEnvTokens,
    hasLegacyToken: false,
    recommendTokenSetup: tokens.length === 0,
    recommendTokenRotation: hasEnvTokens,
    legacyDockerHostCount: used.get(undefined)?.length ?? 0,
    unusedTokenCount: unused,
    notes,
    tokens: tokens.map(({ id, name, prefix, suffix, createdAt, lastUsedAt, source }) => ({
      id,
      name,
      hint: `${prefix}…${suffix}`,
      createdAt,
      ...(lastUsedAt !== undefined && { lastUsedAt }),
      source,
    })),
    usage: tokens.flatMap(({ id: tokenId }) => {
      const names = used.get(tokenId)?.map(({ displayName }) => displayName)
      return names ? [{ tokenId, hostCount: names.length, hosts: names }] : []
    }),
  }
}
