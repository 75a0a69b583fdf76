import type { ApiToken, Diagnostics } from '@pulse/contract'

export function checkTokens(tokens: readonly ApiToken[]): Diagnostics['apiTokens'] {
  const hasEnvTokens = tokens.some(({ source }) => source === 'environment')
  const unused = tokens.filter(({ lastUsedAt }) => lastUsedAt === undefined).length
  const notes = [
    ...(tokens.length === 0 ? ['There are no API tokens: scripts and agents need one each.'] : []),
    ...(hasEnvTokens
      ? [
          'Tokens from the environment cannot be revoked in Pulse: replace them by tokens made in Settings → Security.',
        ]
      : []),
    ...(unused > 0 ? [`${unused} token(s) were never used: revoke what nobody needs.`] : []),
  ]
  return {
    enabled: tokens.length > 0,
    tokenCount: tokens.length,
    hasEnvTokens,
    hasLegacyToken: false,
    recommendTokenSetup: tokens.length === 0,
    recommendTokenRotation: hasEnvTokens,
    legacyDockerHostCount: 0,
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
    usage: [],
  }
}
