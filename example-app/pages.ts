import type { KeptIdentity } from 'pidgate';
import type { KeptMember } from './identity.js';
import { type Html, html } from './html.js';
import { layout } from './layout.js';
import { nameOf } from './people.js';

type Person = string | undefined;

export function homePage(person: Person, identity: KeptMember | undefined): string {
  const intro = html`<div>
    <h1>Borrow the tool. Keep the shelf empty.</h1>
    <p class="lead">
      Drills, ladders and clamps go to everyone who asks. Machines go to adults, in their own name: show us
      once, with your identity wallet.
    </p>
    <ul class="plain">
      <li>We ask for your name and your date of birth.</li>
      <li>We keep your name, and whether you are of age.</li>
      <li>You can have that erased at any time.</li>
    </ul>
  </div>`;
  const card = nameOf(person) === undefined ? logInCard : memberCard(person, identity);
  return layout('Tool library', person, html`<div class="split">${intro}${card}</div>`);
}

const logInCard = html`<section class="card">
  <h2>Log in</h2>
  <p>Two accounts to try it with. They need no password.</p>
  <form class="stack" method="post" action="/log-in">
    <button class="button" name="person" value="erika">Log in as Erika</button>
    <button class="button other" name="person" value="max">Log in as Max</button>
  </form>
  <p class="soft">The test wallet belongs to Erika, so Max's verification will fail.</p>
</section>`;

function memberCard(person: Person, identity: KeptMember | undefined): Html {
  if (identity !== undefined) {
    return html`<section class="card">
      <h2>Welcome, ${identity.kept.name}</h2>
      <p>Your identity is verified.</p>
      <p><a class="button" href="/machines">Go to the machines</a></p>
      <p><a href="/abroad">Take a tool abroad</a></p>
    </section>`;
  }
  return html`<section class="card">
    <h2>Hello, ${nameOf(person)}</h2>
    <p>The machines are open to you once you have shown who you are. It takes a minute.</p>
    <p><a class="button" href="/identity/start">Verify my identity</a></p>
    <p><a href="/machines">Go to the machines</a> (you will be asked on the way)</p>
    <p><a href="/abroad">Take a tool abroad</a></p>
  </section>`;
}

const machines = ['Chainsaw', 'Demolition hammer', 'Floor sander', 'Wood chipper'];

export function machinesPage(person: Person, identity: KeptMember | undefined): string {
  return layout(
    'Machines',
    person,
    html`<h1>Machines</h1>
      <p class="lead">
        ${identity?.kept.adult === true ? 'All of them are open to you.' : 'These are for adults only.'}
      </p>
      <ul class="tiles">
        ${machines.map((machine) => html`<li>${machine}</li>`)}
      </ul>
      ${identity && whatWeKeep(identity)}`,
  );
}

export function verifiedPage(person: Person, identity: KeptMember | undefined): string {
  return layout(
    'Verified',
    person,
    html`<h1>Thank you, that is you</h1>
      <p class="lead">Your identity is verified. You will not be asked again for 30 days.</p>
      <p><a class="button" href="/machines">Go to the machines</a></p>
      ${identity && whatWeKeep(identity)}`,
  );
}

export function abroadPage(
  person: Person,
  identity: KeptIdentity<{ readonly insured: boolean }> | undefined,
): string {
  const answer =
    identity?.kept.insured === true
      ? 'Our insurance covers you abroad. Have a good trip!'
      : 'Our insurance does not cover you abroad. At home, all is as before.';
  return layout(
    'Abroad',
    person,
    html`<h1>Take a tool abroad</h1>
      <p class="lead">${answer}</p>
      <p>We kept that answer, and nothing else. Your nationalities were not shown to us.</p>
      ${forgetForm}
      <p><a href="/">Back to the start</a></p>`,
  );
}

const failures: Readonly<Record<string, readonly [title: string, text: string]>> = {
  declined: ['You kept your data to yourself', 'Nothing was shared with us, and nothing has changed.'],
  other_person: [
    'This is not your account',
    'The name you proved is not the name of the account you are in.',
  ],
};

export function notVerifiedPage(person: Person, error: unknown): string {
  const code = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : 'unknown';
  const known = Object.hasOwn(failures, code) ? failures[code] : undefined;
  const [title, text] = known ?? [
    'That did not work',
    'We could not verify your identity. Please try again.',
  ];
  return layout(
    title,
    person,
    html`<h1>${title}</h1>
      <p class="lead">${text}</p>
      <p><a class="button" href="/identity/start">Try again</a></p>
      <p><a href="/">Back to the start</a></p>
      <p class="soft">If you write to us about it, this code helps: <code>${code}</code></p>`,
  );
}

export function notFoundPage(person: Person): string {
  return layout(
    'Not found',
    person,
    html`<h1>Nothing here</h1>
      <p class="lead">There is no page at this address.</p>
      <p><a href="/">Back to the start</a></p>`,
  );
}

export function failedPage(): string {
  return layout(
    'Not now',
    undefined,
    html`<h1>This does not work right now</h1>
      <p class="lead">Please try again in a moment.</p>
      <p><a href="/">Back to the start</a></p>`,
  );
}

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

function whatWeKeep({ kept, verifiedAt, receipt, sandbox }: KeptMember): Html {
  return html`<section class="card">
    <h2>What we keep of you</h2>
    <dl>
      <div>
        <dt>Name</dt>
        <dd>${kept.name}</dd>
      </div>
      <div>
        <dt>Of age</dt>
        <dd>${kept.adult ? 'Yes' : 'No'}</dd>
      </div>
      <div>
        <dt>Verified</dt>
        <dd><time datetime="${verifiedAt.toISOString()}">${time.format(verifiedAt)} UTC</time></dd>
      </div>
      <div>
        <dt>Receipt</dt>
        <dd><code>${receipt.id}</code></dd>
      </div>
    </dl>
    ${sandbox ? html`<p class="note">A test wallet answered. This proves nothing about anyone.</p>` : undefined}
    ${forgetForm}
  </section>`;
}

const forgetForm = html`<form method="post" action="/forget">
  <button class="button other">Forget my data</button>
</form>`;
