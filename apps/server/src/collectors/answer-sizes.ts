/** Questions whose answers are remembered: lists of large clusters, of which one host has a few. */
const mostQuestions = 100

/** How large the answers of one host were, by question. */
export interface AnswerSizes {
  /** 0 while nothing is known. */
  of(path: string): number
  remember(path: string, bytes: number): void
  readonly count: number
}

/** Parameters, which may hold a time, and tasks, which come and go, are the same question. */
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
