import * as z from 'zod/mini'
import type { Bounds } from '../alert-bounds.ts'
import { bodyLimits } from '../endpoint.ts'

/** Replaces a secret in every answer. In a request it means the stored secret. */
export const secretMask = '********'

export const text = (max: number) => z.string().check(z.trim(), z.maxLength(max))
/** One line of a mail or of a request: no line ends, no other control characters. */
export const line = (max: number) =>
  text(max).check(z.refine((value) => !/\p{Cc}/u.test(value), 'Control characters cannot be used here.'))
export const whole = ({ min, max }: Bounds) => z.number().check(z.int(), z.minimum(min), z.maximum(max))

export const secretLength = 4096
export const secret = z.string().check(z.maxLength(secretLength))

export const optional = <T extends Record<string, z.ZodMiniType>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, z.optional(schema)])) as {
    [K in keyof T]: z.ZodMiniOptional<T[K]>
  }

export const Done = z.object({ status: z.literal('success') })
/** Enough for a template and a list of headers. */
export const largeBody = 512 * 1024
/** One document of settings. */
export const settingsBody = bodyLimits.settings

/** The error for a change that would send a stored secret to another destination. */
export const secretRequired = ['secret_required'] as const
