/** What was seen of an app and of what is around it. Each of those who look gathers what it can see, and leaves out the rest. */
export interface Facts {
  /** Where people reach the app. */
  readonly appUrl?: URL;
  /** appUrl is on this machine. */
  readonly isLocal?: boolean;
  /** The kit's page is where appUrl says. */
  readonly isReached?: boolean;
  readonly mode?: string | undefined;
  readonly issuer?: string | undefined;
  readonly paths?: Readonly<Record<'start' | 'callback' | 'request' | 'mount', string>>;
  /** Where the router is mounted, if that is not where its option says. */
  readonly mountedAt?: string | undefined;
  /** The path that a proxy takes off, as the proxy says it, and the one that appUrl has. */
  readonly prefix?: { readonly taken: string; readonly known: string } | undefined;
  /** Variables that are missing although others are set. */
  readonly unset?: readonly string[];
  readonly oneSecretForBoth?: boolean;
  /** Of the option baseUrl. */
  readonly serviceAddress?: 'https' | 'local' | 'unsafe' | undefined;
  readonly asksWallets?: boolean;

  /** `GET start`, as a person opens it. */
  readonly page?: PageFacts;
  /** `POST start` that is from no page of the app: the kit refuses it, without a flow. */
  readonly post?: Answer;
  /** `POST callback` with a state that no kit makes. */
  readonly callback?: Answer & { readonly isEvent?: boolean };
  /** Only of an app that asks wallets itself: the request of a flow that never was. */
  readonly request?: Answer;
  /** What is open to somebody who has verified nothing: the guarded page, or the address of its data. */
  readonly open?: { readonly address: string; readonly isData: boolean } | undefined;
  /** `POST /prove` without a question; `host` is that of the service. */
  readonly service?: Answer & { readonly host: string };
  /** By how many seconds this machine is ahead of the service or, without one, of the app. */
  readonly skew?: number | undefined;

  /** What the request's session is, where it is none that the kit can use. */
  readonly session?: 'missing' | 'below' | 'pathless' | 'unsupported' | SessionFacts | undefined;
  /** Whether people reach the app by https. */
  readonly isHttps?: boolean;
  /** A proxy forwarded the request. */
  readonly isForwarded?: boolean;
  /** Express takes its word. */
  readonly trustsProxy?: boolean;
  /** In milliseconds. */
  readonly flowTtl?: number | undefined;
  /** What of the request names somebody who seems to be logged in, where the option subject is missing. */
  readonly loggedIn?: string | undefined;
  /** What the app wishes to last longer than its session cookie, and how long that is. */
  readonly outlives?: { readonly name: string; readonly wished: string; readonly cookie: string } | undefined;
  /** Where a guard sends a browser from that it should not: the router itself, or the page of errorRedirect. */
  readonly guards?: { readonly path: string; readonly is: 'router' | 'errorRedirect' } | undefined;

  /** Why the access key does not sign; `good` where it does. */
  readonly signs?: string | undefined;
  /** Certificates that are not valid, or not for long, as they are told. */
  readonly expired?: readonly string[];
  readonly expiring?: readonly string[];
  readonly accessEnds?: string | undefined;
  /** Issuers whose keys cannot be fetched. */
  readonly keysAway?: readonly string[];
  readonly store?: { readonly memory: boolean; readonly failed?: string | undefined };
  /** Whether a second process opens the flows of the first. */
  readonly sharesSecret?: boolean | undefined;
}

/** What an address answered, or why nothing came. */
export interface Answer {
  readonly status?: number;
  readonly why?: string;
  /** The code in its JSON. */
  readonly error?: string | undefined;
  readonly type?: string;
}

export interface PageFacts extends Answer {
  /** It is the kit's own. */
  readonly isKits?: boolean;
  /** Headers of the kit that something has replaced. */
  readonly replaced?: readonly string[];
  /** Where its form leads, if not to where people reach the start. */
  readonly leadsTo?: string | undefined;
  readonly isOriginUnknown?: boolean;
}

export interface SessionFacts {
  readonly secure: boolean;
  readonly sameSite?: string | undefined;
  /** The browser sent the cookie: so it works, whatever its attributes. */
  readonly cameBack?: boolean;
  /** Milliseconds that the cookie lives; undefined where it ends with the browser. */
  readonly life?: number | undefined;
  /** On http it is Lax, on https None. */
  readonly sameSiteVaries?: boolean;
  /** The word 'auto' is left in the cookie: nothing has put an attribute in its place. */
  readonly unresolved?: 'secure' | 'sameSite' | undefined;
  readonly httpOnly?: boolean;
  /** The host that the cookie is for, where it is not this one alone. */
  readonly domain?: string | undefined;
  readonly partitioned?: boolean;
  /** Undefined where no cookie came. */
  readonly name?: string | undefined;
  /** express-session's own store, which is for development. */
  readonly memory?: boolean;
  readonly away?: boolean;
  /** A session that was ended while a request ran is there again afterwards. */
  readonly revives?: boolean;
  /** This process reads the cookie that another process of the same app gave; undefined where there was none. */
  readonly readsOther?: boolean | undefined;
}
