import React, { useState } from 'react';

import { isLocalHost } from '../../panel/localHost';
import type { IModelDraft } from '../../panel/modelDraft';
import { sentence } from '../../panel/sentence';
import {
  isIn,
  searchOf,
  type ServerSearch,
  serversIn,
  type Taken
} from '../../panel/serverSearch';
import { never } from '../../state/never';
import { TextButton } from '../button';
import { usePanel, useTrans } from '../context';
import { FoundServerItem } from './foundserver';

/** Looks for model servers on the machine that runs Jupyter, on a click and never before. */
export function Finder(props: {
  /** What is in the form, which may be edited after something was put there. */
  readonly draft: IModelDraft;
  readonly onTake: (taken: Taken) => void;
  /** Where the page comes from. */
  readonly host?: string;
}): React.JSX.Element {
  const { host = window.location.hostname } = props;
  const trans = useTrans();
  const { server } = usePanel();
  const [search, setSearch] = useState<ServerSearch>({ kind: 'unasked' });
  const [last, setLast] = useState<Taken | null>(null);
  const taken = last !== null && isIn(last, props.draft) ? last : null;
  const look = () => {
    setSearch({ kind: 'looking' });
    setLast(null);
    server.find().then(
      found => setSearch(searchOf(found)),
      (reason: unknown) =>
        setSearch({ kind: 'failed', sentence: sentence(reason) })
    );
  };
  const take = (one: Taken) => {
    setLast(one);
    props.onTake(one);
  };
  return (
    <div className="jp-CaveLab-tour">
      <TextButton busy={search.kind === 'looking'} onClick={look}>
        {trans.__('Find model servers on this machine')}
      </TextButton>
      {!isLocalHost(host) && (
        <p className="jp-CaveLab-quiet">
          {trans.__('“This machine” is the one that runs Jupyter: %1.', host)}
        </p>
      )}
      <div role="status">
        <SearchWords search={search} />
      </div>
      <ul className="jp-CaveLab-foundServers">
        {serversIn(search).map(one => (
          <FoundServerItem
            key={one.api_base}
            found={one}
            taken={taken}
            onTake={take}
          />
        ))}
      </ul>
      <div role="status">
        <TakenWords taken={taken} />
      </div>
    </div>
  );
}

/** What was put into the form, and what is left to do. */
function TakenWords(props: {
  readonly taken: Taken | null;
}): React.JSX.Element | null {
  const { taken } = props;
  const trans = useTrans();
  switch (taken?.kind) {
    case undefined:
      return null;
    case 'model':
      return (
        <p>
          {trans.__(
            '%1 is in the form below. Test it, then save it: nothing changes until you save.',
            taken.name.model
          )}
        </p>
      );
    case 'address':
      return (
        <p>
          {trans.__(
            'Its address is in the form below. Name a model of it there, as openai/ and the name it has on the server, and the environment variable that holds the key.'
          )}
        </p>
      );
    default:
      return never(taken);
  }
}

/** Where the search stands, and what to do next. */
function SearchWords(props: {
  readonly search: ServerSearch;
}): React.JSX.Element {
  const { search } = props;
  const trans = useTrans();
  switch (search.kind) {
    case 'unasked':
      return (
        <p className="jp-CaveLab-quiet">
          {trans.__(
            'Asks the usual ports of Ollama, LM Studio, llama.cpp, vLLM and Jan on this machine, only when you click. Nothing else is sent.'
          )}
        </p>
      );
    case 'looking':
      return <p className="jp-CaveLab-quiet">{trans.__('Looking …')}</p>;
    case 'found':
      return (
        <p>
          {trans._n(
            'Found %1 model server. Click a model to put it into the form.',
            'Found %1 model servers. Click a model to put it into the form.',
            search.servers.length
          )}
        </p>
      );
    case 'nothing':
      return (
        <p>
          {trans.__(
            'No model server answered. Start one, such as Ollama, and look again; or write the address of one that uses another port as the base URL.'
          )}
        </p>
      );
    case 'refused':
    case 'failed':
      return <p className="jp-CaveLab-warning">{search.sentence}</p>;
    default:
      return never(search);
  }
}
