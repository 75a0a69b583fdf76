/** The limit of remembered questions. Only a few lists of a large cluster have large answers. */
const mostQuestions = 100

/** The size of a host's answers, by question. */
export interface AnswerSizes {
  /** Returns 0 while the size is unknown. */
  of(path: string): number
  remember(path: string, bytes: number): void
  readonly count: number
}

/** Query parameters, which may contain a time, and task ids, which change, do not make another question. */
const questionOf = (path: string) => path.replace(/\?.*/s, '').replace(/\/UPID:[^/]+/, '/UPID')

export function createAnswerSizes(): AnswerSizes {
  const sizes = new Map<string, number>()
  return {
    of: (path) => sizes.get(questionOf(path)) ?? 0,
    remember(path, bytes) {
      const question = questionOf(path)
      sizes.delete(question)
      sizes.set(question, bytes)
      const [oldest] = sizes.keys()
      if (sizes.size > mostQuestions && oldest !== undefined) sizes.delete(oldest)
    },
    get count() {
      return sizes.size
    },
  }
}
