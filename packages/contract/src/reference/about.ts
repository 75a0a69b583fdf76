import type * as z from 'zod/mini'
import type { Endpoint } from '../endpoint.ts'
import type { ErrorCode } from '../errors.ts'

type Given<S> = S extends z.ZodMiniType ? z.input<S> : never
type Example<Name extends string, Value> = [Value] extends [never] ? unknown : { [N in Name]: Value }

interface Words {
  /** expected body of a call that parses its body itself */
  shape?: z.ZodMiniType
  /** a few words for the list of calls */
  summary: string
  /** errors of this call only; the declaration implies the errors of all calls of its kind */
  errors?: readonly ErrorCode[]
}

/**
 * The parts of the reference that the declaration lacks: a description, and an example of each part of the
 * request. Examples of answers come from a server.
 */
export type About<E extends Endpoint> = Words &
  Example<'params', Given<NonNullable<E['params']>>> &
  Example<'query', Given<NonNullable<E['query']>>> &
  Example<'body', Given<NonNullable<E['body']>>>

/** The same, independent of the call's types. */
export interface AnyAbout extends Words {
  params?: unknown
  query?: unknown
  body?: unknown
}

/** One entry for every call of a module; a missing one does not compile. */
export type Reference<Calls> = {
  [Name in keyof Calls as Calls[Name] extends Endpoint ? Name : never]: Calls[Name] extends Endpoint
    ? About<Calls[Name]>
    : never
}

/** The calls under one heading. */
export interface Chapter {
  tag: string
  description: string
  calls: Readonly<Record<string, AnyAbout>>
}
