/** So many ids fit into the body of one request, however long they are. */
const mostAtOnce = 600

/** The ids of a flood, request by request. */
export function* requestsOf(ids: readonly string[]): Generator<string[]> {
  for (let from = 0; from < ids.length; from += mostAtOnce) yield ids.slice(from, from + mostAtOnce)
}
