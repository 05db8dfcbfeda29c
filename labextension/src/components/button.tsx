import type { LabIcon } from '@jupyterlab/ui-components';
import React from 'react';

interface IIconButtonProps {
  readonly icon: LabIcon;
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  readonly expanded?: boolean;
}

/** A small button with a picture, as in JupyterLab's toolbars. */
export const IconButton = React.forwardRef<HTMLButtonElement, IIconButtonProps>(
  function IconButton(props, ref) {
    const { icon: Icon, label, onClick, disabled, expanded } = props;
    return (
      <button
        ref={ref}
        type="button"
        className="jp-CaveLab-iconButton"
        title={label}
        aria-label={label}
        aria-expanded={expanded}
        disabled={disabled}
        onClick={onClick}
      >
        <Icon.react tag="span" aria-hidden="true" width="16px" height="16px" />
      </button>
    );
  }
);

interface ITextButtonProps {
  readonly children: React.ReactNode;
  readonly onClick: () => void;
  readonly kind?: 'plain' | 'accept' | 'link';
  readonly className?: string;
  readonly title?: string;
  readonly disabled?: boolean;
  /** Does nothing for a moment, and keeps the focus, which a disabled button loses. */
  readonly busy?: boolean;
  readonly expanded?: boolean;
}

const KIND_CLASS = {
  plain: 'jp-mod-styled',
  accept: 'jp-mod-styled jp-mod-accept',
  link: 'jp-CaveLab-linkButton'
};

/** A button with words. */
export const TextButton = React.forwardRef<HTMLButtonElement, ITextButtonProps>(
  function TextButton(props, ref) {
    const { children, onClick, kind = 'plain', title, disabled } = props;
    const { className = '', busy = false } = props;
    return (
      <button
        ref={ref}
        type="button"
        className={`jp-CaveLab-button ${KIND_CLASS[kind]} ${className}`}
        title={title}
        aria-expanded={props.expanded}
        aria-disabled={busy || undefined}
        disabled={disabled}
        onClick={busy ? undefined : onClick}
      >
        {children}
      </button>
    );
  }
);
