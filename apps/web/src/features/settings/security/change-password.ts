import { minPasswordLength, postChangePassword } from '@pulse/contract'
import type { Api } from '../../../api/client.ts'
import { credentialHeaders } from '../../../api/credentials.ts'
import { errorText } from '../../../api/error-text.ts'

export interface PasswordEntries {
  current: string
  next: string
  confirmed: string
}

/** What stands in the way of sending; undefined when nothing does. */
export function passwordProblem({ current, next, confirmed }: PasswordEntries): string | undefined {
  if (!current || !next || !confirmed) return 'All fields are required'
  if (next !== confirmed) return 'New passwords do not match'
  if (next.length < minPasswordLength) return 'Password must be at least 8 characters'
  return undefined
}

/** Fails with the text to show. The current password goes along as basic authentication too. */
export async function changePassword(api: Api, username: string, { current, next }: PasswordEntries) {
  const { path, method } = postChangePassword
  const response = await api.send(path, {
    method,
    retryLimited: false,
    headers: {
      'Content-Type': 'application/json',
      ...credentialHeaders({ kind: 'basic', username, password: current }),
    },
    body: JSON.stringify({ currentPassword: current, newPassword: next }),
  })
  if (response.ok) return
  if (response.status === 401) throw new Error('Current password is incorrect')
  const body = await response.text()
  throw new Error(body.trim() ? errorText(response.status, body) : 'Failed to change password')
}
