import type { DockerContainer, DockerHost } from '@pulse/contract'
import { containerName } from '../container-name.ts'
import type { DeadTerm } from './dead-terms.ts'
import { SEPARATOR, textTest } from './search.ts'

/** The searched fields of a container's host. */
export type SearchedHost = Pick<DockerHost, 'displayName' | 'hostname' | 'status'>

type Subject = [container: DockerContainer, host: SearchedHost]
type TextField = (...subject: Subject) => string

export type ContainerPredicate = (...subject: Subject) => boolean

/** The engines keep the last health of stopped containers. It is outdated, and the page does not show it. */
const stateOf: TextField = ({ state, health = '' }) =>
  state.toLowerCase() === 'running' ? [state, health].join(SEPARATOR) : state

const plain: TextField = (container, host) =>
  [
    containerName(container),
    container.image,
    container.id,
    stateOf(container, host),
    container.status,
    labelTexts(container),
    host.displayName,
    host.hostname,
    host.status,
  ].join(SEPARATOR)

/** Prefixes before the colon of a term. */
const prefixes: ReadonlyMap<string, TextField> = new Map(
  Object.entries({
    host: (_container, { displayName, hostname }) => [displayName, hostname].join(SEPARATOR),
    name: containerName,
    image: ({ image }) => image,
    state: stateOf,
    id: ({ id }) => id,
    label: labelTexts,
  } satisfies Record<string, TextField>),
)

/**
 * The search box of the Docker page: terms separated by spaces or commas, all of which must match. A prefix
 * names the field. An unknown prefix belongs to the term, as in `nginx:1.27`. A prefix without text (`host:`)
 * is still being typed and is ignored. Empty text matches everything.
 */
export function compileContainerSearch(search: string): ContainerPredicate {
  const sought = Map.groupBy(termsOf(search).flatMap(parse), ({ field }) => field)
  const tests = [...sought].map(([field, all]) =>
    textTest(
      field,
      all.map(({ text }) => text),
      'all',
    ),
  )
  return (...subject) => tests.every((test) => test(...subject))
}

/** Terms that look like comparisons, which this search treats as plain text; in the order of the search. */
export const deadContainerTerms = (search: string): DeadTerm[] =>
  termsOf(search)
    .filter(isComparison)
    .map((term) => ({ term, field: '', why: 'not-compared' }))

const termsOf = (search: string): string[] => [
  ...new Set(
    search
      .toLowerCase()
      .replaceAll(SEPARATOR, ' ')
      .split(/[\s,]+/)
      .filter(Boolean),
  ),
]

/** `cpu>80`, or the `>80` of `cpu > 80`: container names hardly ever look like this. */
const isComparison = (term: string): boolean =>
  /^(?:(?:cpu|mem|memory|disk|uptime|restarts)[<>]|[<>]=?\d*%?$)/.test(term)

function parse(term: string): { field: TextField; text: string }[] {
  const colon = term.indexOf(':')
  const field = colon < 0 ? undefined : prefixes.get(term.slice(0, colon))
  if (!field) return [{ field: plain, text: term }]
  const text = term.slice(colon + 1)
  return text === '' ? [] : [{ field, text }]
}

/** Each as `key=value`, joined by SEPARATOR. */
function labelTexts({ labels = {} }: Pick<DockerContainer, 'labels'>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(SEPARATOR)
}
