/** The list of the agents in a folder, to be signed. */
export function agentList(folder: string): string
