import type { AppNews, AppQuestion } from '../join.js';

/** A question of the app that uses this sandbox, and the address where it starts. */
export interface KnownQuestion extends AppQuestion {
  readonly url: string;
}

/** A page of the app whose guard was seen to lead to a start. */
export interface GuardedPage {
  readonly url: string;
  readonly start: string;
}

/** What the app has told of itself in this run: nothing, where it does not run with `pidgate dev`. */
export interface KnownApp {
  readonly name: string | undefined;
  readonly questions: readonly KnownQuestion[];
  /** The one that was seen last comes first. */
  readonly guarded: readonly GuardedPage[];
  questionOf(name: string | undefined): KnownQuestion | undefined;
  hear(news: AppNews): void;
}

const maxQuestions = 100;
const maxGuarded = 20;

/** An app may have several factories and processes: each question is known by its address. */
export function createKnownApp(): KnownApp {
  const questions = new Map<string, KnownQuestion>();
  const guarded: GuardedPage[] = [];
  let appName: string | undefined;
  return {
    get name() {
      return appName;
    },
    get questions() {
      return [...questions.values()];
    },
    guarded,
    questionOf: (name) => [...questions.values()].findLast((question) => question.name === name),
    hear(news) {
      if (news.type === 'app') {
        appName = news.name;
        for (const question of news.questions.slice(0, maxQuestions)) {
          const url = new URL(news.url).href.replace(/\/$/, '') + question.start;
          questions.delete(url);
          questions.set(url, { ...question, url });
        }
        while (questions.size > maxQuestions) questions.delete([...questions.keys()][0] ?? '');
      }
      if (news.type === 'guarded') {
        const { url, start } = news;
        const before = guarded.findIndex((page) => page.url === url);
        if (before !== -1) guarded.splice(before, 1);
        guarded.unshift({ url, start });
        guarded.splice(maxGuarded);
      }
    },
  };
}
