/** Problems of a payload, as sentences. */
export type Problems = string[]

export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Checks a payload field by field. */
export interface Look {
  problems: Problems
  /** a text whose length is between `min` and `max` characters */
  text(value: unknown, name: string, max: number, min?: number): void
  integer(value: unknown, name: string, min: number, max: number): void
  oneOf(value: unknown, name: string, allowed: readonly unknown[]): void
  /** ISO 8601 with a time zone */
  time(value: unknown, name: string): void
  /** http or https */
  link(value: unknown, name: string): void
  object(value: unknown, name: string): Json
  list(value: unknown, name: string, max: number, min?: number): Json[]
  /** the object has no other fields */
  only(value: Json, name: string, allowed: readonly string[]): void
}

export function look(): Look {
  const problems: Problems = []
  const say = (name: string, what: string, value: unknown) => {
    problems.push(`${name} must be ${what}, not ${JSON.stringify(value)?.slice(0, 80) ?? 'absent'}`)
  }
  return {
    problems,
    text(value, name, max, min = 1) {
      if (typeof value !== 'string' || value.length < min || value.length > max) {
        say(name, `a text of ${min} to ${max} characters`, value)
      }
    },
    integer(value, name, min, max) {
      if (!Number.isInteger(value) || Number(value) < min || Number(value) > max) {
        say(name, `a whole number from ${min} to ${max}`, value)
      }
    },
    oneOf(value, name, allowed) {
      if (!allowed.includes(value)) say(name, allowed.join(', '), value)
    },
    time(value, name) {
      if (
        typeof value !== 'string' ||
        !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value)
      ) {
        say(name, 'a time such as 2026-01-31T12:00:00Z', value)
      }
    },
    link(value, name) {
      const protocol = typeof value === 'string' ? URL.parse(value)?.protocol : undefined
      if (protocol !== 'http:' && protocol !== 'https:') say(name, 'a link', value)
    },
    object(value, name) {
      if (isObject(value)) return value
      say(name, 'an object', value)
      return {}
    },
    list(value, name, max, min = 0) {
      if (Array.isArray(value) && value.length >= min && value.length <= max) {
        return value.map((one, index) => this.object(one, `${name}[${index}]`))
      }
      say(name, `a list of ${min} to ${max}`, value)
      return []
    },
    only(value, name, allowed) {
      for (const field of Object.keys(value)) {
        if (!allowed.includes(field)) problems.push(`${name} has no field ${field}`)
      }
    },
  }
}
