import type * as z from 'zod/mini'
import type { Endpoint } from '../endpoint.ts'
import type { ErrorCode } from '../errors.ts'

type Given<S> = S extends z.ZodMiniType ? z.input<S> : never
type Example<Name extends string, Value> = [Value] extends [never] ? unknown : { [N in Name]: Value }

interface Words {
  /** what is meant to be in a body that the call reads by itself */
  shape?: z.ZodMiniType
  /** a few words, as a list of calls shows them */
  summary: string
  /** what refuses this call alone; what refuses every call of its kind is known from its declaration */
  errors?: readonly ErrorCode[]
}

/** What the reference says of a call that its declaration does not: in words, and by an example of each part of the request. Examples of answers come from a server. */
export type About<E extends Endpoint> = Words &
  Example<'params', Given<NonNullable<E['params']>>> &
  Example<'query', Given<NonNullable<E['query']>>> &
  Example<'body', Given<NonNullable<E['body']>>>

/** As a reader meets it who does not know which call it is. */
export interface AnyAbout extends Words {
  params?: unknown
  query?: unknown
  body?: unknown
}

/** Of every call of a module: one that is left out does not compile. */
export type Reference<Calls> = {
  [Name in keyof Calls as Calls[Name] extends Endpoint ? Name : never]: Calls[Name] extends Endpoint
    ? About<Calls[Name]>
    : never
}

/** The calls that a reader finds under one heading. */
export interface Chapter {
  tag: string
  description: string
  calls: Readonly<Record<string, AnyAbout>>
}
