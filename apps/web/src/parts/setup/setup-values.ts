import { minPasswordLength, type QuickSetupInput } from '@pulse/contract'

export type SetupMode = 'initial' | 'rotate'

export interface SetupValues {
  username: string
  passwordMode: 'generated' | 'custom'
  password: string
  confirmation: string
  setupToken: string
}

interface SetupErrors {
  password?: string
  confirmation?: string
}

/** Only a password that the user typed can be invalid. */
export function setupErrors({ passwordMode, password, confirmation }: SetupValues): SetupErrors {
  if (passwordMode === 'generated') return {}
  if (password.length < minPasswordLength) return { password: 'Password must be at least 8 characters' }
  return password === confirmation ? {} : { confirmation: 'Passwords do not match' }
}

export interface GeneratedSecrets {
  password: string
  apiToken: string
}

export function setupInput(mode: SetupMode, values: SetupValues, secrets: GeneratedSecrets): QuickSetupInput {
  const { username, passwordMode, password, setupToken } = values
  return {
    username: username.trim(),
    password: passwordMode === 'custom' ? password : secrets.password,
    apiToken: secrets.apiToken,
    ...(mode === 'rotate' ? { force: true } : { setupToken: setupToken.trim() }),
  }
}

const tokenPrefix = '#setup='

/** The console prints an address with the setup token. */
export const setupTokenIn = (hash: string): string =>
  hash.startsWith(tokenPrefix) ? hash.slice(tokenPrefix.length) : ''
