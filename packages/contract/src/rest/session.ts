import * as z from 'zod/mini'
import { bodyLimits, endpoint } from '../endpoint.ts'

/** Failed attempts per account and address before a lockout. */
export const maxLoginAttempts = 5
/** Duration of a lockout. */
export const lockoutMinutes = 15

const credential = z.string().check(z.minLength(1), z.maxLength(1024))

export const LoginInput = z.strictObject({ username: credential, password: credential })
export type LoginInput = z.infer<typeof LoginInput>

/**
 * Successful and failed answers of the login call in one schema. Failures also have the fields of ErrorBody.
 */
export const LoginReply = z.object({
  success: z.boolean(),
  message: z.optional(z.string()),
  attempts: z.optional(z.number()),
  remaining: z.optional(z.number()),
  maxAttempts: z.optional(z.number()),
  locked: z.optional(z.boolean()),
  lockoutDuration: z.optional(z.string()),
  /** RFC 3339 */
  lockedUntil: z.optional(z.string()),
  remainingMinutes: z.optional(z.number()),
})
export type LoginReply = z.infer<typeof LoginReply>

export const Done = z.object({ success: z.literal(true), message: z.string() })
export type Done = z.infer<typeof Done>

export const postLogin = endpoint({
  method: 'POST',
  path: '/api/login',
  access: 'public',
  rate: 'auth',
  audit: 'own',
  body: LoginInput,
  bodyLimit: bodyLimits.auth,
  reply: LoginReply,
})

export const postLogout = endpoint({
  method: 'POST',
  path: '/api/logout',
  access: 'user',
  scope: 'none',
  rate: 'general',
  audit: 'logout',
  reply: Done,
})
