import { Secret } from '@pulse/domain'
import { parseSetCookie } from 'cookie'
import { createHash } from 'node:crypto'
import { apiTokenStore } from '../db/api-tokens.ts'
import { sessionStore } from '../db/sessions.ts'
import { type ApiTokens, createApiTokens, type Maker } from './api-tokens.ts'
import { aCaller, type Ground } from './fixtures.ts'
import { createSessions, type Sessions } from './sessions.ts'

export async function startSessions({ db, clock, log }: Ground, onEnded = () => {}): Promise<Sessions> {
  const sessions = createSessions({ store: sessionStore(db), clock, log, onEnded })
  await sessions.start()
  return sessions
}

/** The token of a new session. */
export async function beginSession(
  sessions: Sessions,
  userId: string,
  method: 'session' | 'oidc' = 'session',
): Promise<string> {
  const caller = aCaller({ headers: { 'user-agent': 'Browser' } })
  const [cookie] = await sessions.create(userId, method, caller)
  return parseSetCookie(cookie!).value!
}

/** Starts the server with these tokens in its environment. */
export async function startTokens(
  { db, clock, log }: Ground,
  environment: readonly string[] = [],
  onEnded = () => {},
): Promise<ApiTokens> {
  const tokens = createApiTokens({ store: apiTokenStore(db), clock, log, onEnded, onWrite: () => {} })
  await tokens.start(environment.map((text) => new Secret(text)))
  return tokens
}

export const anna: Maker = { id: 'user:1', name: 'anna', method: 'session' }
export const sha3 = (text: string) => createHash('sha3-256').update(text).digest('hex')
