/** What agents that run believe of those they are offered: the list of a folder's agents, to be signed. */
export function agentList(folder: string): string
