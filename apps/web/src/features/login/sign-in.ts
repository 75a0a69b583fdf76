import { getState, type LoginInput, postLogin } from '@pulse/contract'
import type { Api } from '../../api/client.ts'
import { credentialHeaders } from '../../api/credentials.ts'
import { ApiError } from '../../api/request.ts'
import { refusalText } from './refusal.ts'

export type SignIn = { signedIn: true } | { signedIn: false; message: string; clearPassword: boolean }

/** Where the login call gets no answer at all, the same credentials are tried once as HTTP Basic; the session cookie of that answer carries on. */
export async function signIn(api: Api, input: LoginInput): Promise<SignIn> {
  try {
    const reply = await api.call(postLogin, { body: input, skipAuth: true, retryLimited: false })
    return reply.success ? { signedIn: true } : refused(200, reply)
  } catch (error) {
    return error instanceof ApiError ? refused(error.status, error.body) : signInBasic(api, input)
  }
}

async function signInBasic(api: Api, input: LoginInput): Promise<SignIn> {
  try {
    const headers = credentialHeaders({ kind: 'basic', ...input })
    const response = await api.send(getState.path, { skipAuth: true, retryLimited: false, headers })
    if (!response.ok) return refused(response.status, await response.json().catch(() => undefined))
    await response.body?.cancel()
  } catch {
    return { signedIn: false, message: 'Failed to connect to server', clearPassword: false }
  }
  return { signedIn: true }
}

function refused(status: number, body: unknown): SignIn {
  return {
    signedIn: false,
    message: refusalText(status, body),
    clearPassword: status === 401 || status === 403,
  }
}
